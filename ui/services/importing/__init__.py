"""Import files: uploads, previews, pictures, and imports in a separate process."""
