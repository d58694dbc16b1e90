"""Control access to routes: gates, sign-in, cookies and proxies."""
