"""The texts of the server that raters can read, with {placeholders}, as catalogues translate them.

core and storage write English, and the edge of the server translates it. tests/ui/test_rater_texts.py checks that the
program still has each text, and that every error on a rater's way is listed here.
"""

TEXTS = (
    # entering
    "Say who you are first: give your code.",
    "There is no such link.",
    "Open the link that you were sent: it leads to your study.",
    "Open this study from {platform}: the address does not say who you are.",
    "Open this study from the page that sent you here. A code is not enough.",
    "Too many codes that are taken. Wait a minute, then try another one.",
    "Too many wrong return keys. Wait a minute, then try again.",
    "This return key is wrong for the code {code}.",
    "As many new raters as this server lets in within an hour have used this link from your network. "
    "You need not do anything: leave this page open.",
    "A rater's code is 1 to {longest} letters, digits, - or _, for instance K7.",
    "The code {code} is taken. Choose another one, or give its return key.",
    "The code {code} is taken, here or in another study. Choose another one, or give its return key.",
    "There is no rater with the code {code}.",
    "This is another rater's link.",
    "This link was closed.",
    "This link has expired.",
    "This link has been used as often as allowed.",
    # the page of a link that has ended
    "This study no longer takes answers by this link",
    "This link has expired",
    "This link is used up",
    "You need not do anything. If you have more answers to give, ask the person who sent you the link.",
    "Ask the person who sent you the link for a new one.",
    "If it was only for you, use the browser in which you first opened it; otherwise ask for a new one.",
    "You could not be signed in",
    "To the study",
    # consent, questions and the check
    "The text was changed after you opened it, so nothing was stored. Please read it again.",
    "There are no questions now. Load the page again.",
    "There are no questions about the task now. Load the page again.",
    "These answers were sent before, or belong to another attempt. Nothing was stored. Please look again.",
    "Agree to take part first.",
    "Answer the questions first.",
    "Answer the questions about the task first.",
    "This study is for others.",
    "The answers to the questions about the task were not all right.",
    "You have chosen not to take part.",
    "You have left this study.",
    "Please answer: {question}",
    "Expected {expected} answers, found {found}.",
    "{question} Expected one of {choices}, found {answer}.",
    "{question} An answer has at most {longest} characters.",
    "{question} The answer holds {odd}, which cannot be stored. Remove it.",
    "{question} Expected {expected}, found {answer}.",
    # items and answers
    "There is no study number {study}.",
    "This rater has no such item.",
    "The picture is still hidden. Answer the questions without picture first.",
    "{question} needs the picture, which is shown once {names} is answered. Answer {names} first.",
    "A sentence",
    "The explanation",
    "There is no feedback on this item.",
    "Your answer belongs to an item that this server no longer has. The answer is kept in this browser. "
    "Please tell the person who sent you the link.",
    "A note must be text of at most {longest} characters.",
    "The note holds {odd}, which cannot be stored. Remove it to save the note.",
    "The server was restarted or restored. This page first compares its answers with it.",
    "This page is of another version of Capscope, or there is no such file: load it again.",
    # trouble of the server
    "The server's database is busy with other writers, so nothing was stored. Try again in a few seconds.",
    "The server's database is held by another program, so nothing was stored. Try again in a few seconds.",
    "Nothing was stored: the server's database was unavailable for too long. Try again.",
    "The disk with Capscope's data is full, so nothing was stored. Free some space and try again.",
    "Something went wrong. The terminal in which Capscope runs shows the details.",
    # notes that the program adds to a form
    "I cannot judge this, because the picture is missing.",
    "The pictures of this study are missing: you see the texts only.",
    "The pictures of this study are missing: you see the texts only. Choose N where a question needs the picture.",
    "Most items have no picture.",
    "Most items have no picture. There, choose N if a question needs the picture.",
    "Some items have no picture.",
    "Some items have no picture. There, choose N if a question needs the picture.",
    "Evaluator {number}",
)
