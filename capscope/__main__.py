"""Run the command `capscope`, also as `python -m capscope`."""

from app import run

if __name__ == "__main__":
    run()
