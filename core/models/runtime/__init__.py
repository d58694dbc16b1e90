"""Where models run: devices, memory, threads, operators."""
