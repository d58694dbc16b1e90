"""How models run: devices, memory, threads, operators."""
