"""Who may send which request: sign-in, cookies, proxies, the table of routes."""
