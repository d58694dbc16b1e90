"""MobileSAMv2: detector, image encoder, mask decoder."""
