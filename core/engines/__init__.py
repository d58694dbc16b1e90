"""Where many samples are judged: machines beside this one."""
