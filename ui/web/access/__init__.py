"""Control access to routes: sign-in, cookies, proxies, and the table of routes."""
