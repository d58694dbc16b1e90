"""Taking files in: uploads, previews, imports in a process of their own, pictures."""
