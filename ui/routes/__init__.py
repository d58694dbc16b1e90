"""The JSON routes under the pages. Ids, never paths; every route checks what the asker may see."""
