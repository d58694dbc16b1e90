"""MobileSAMv2: detector, encoder, decoder."""
