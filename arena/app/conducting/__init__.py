"""What a server does without being asked: it plays, checks what is handed in, and seats people."""
