"""The command `capscope`, and `python -m capscope`."""

from app import run

if __name__ == "__main__":
    run()
