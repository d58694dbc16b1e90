"""The English texts that the server shows to raters, for translation by catalogues.

A text may have {placeholders} for values. core and storage write these texts in English, and the web layer translates
them. tests/ui/test_rater_texts.py checks that each text listed here still occurs in the program. It also checks that
every error that raters can get is listed here.
"""

from core.studies.asking.ready_texts import CONSENT

TEXTS = (
    CONSENT,  # ready text for consent; each study stores its own translation of it
    # entering
    "Enter your code first, so that this page knows who you are.",
    "There is no such link.",
    "Open the link that you were sent: it leads to your study.",
    "Open this study from {platform}: the address does not say who you are.",
    "Open this study from the page that sent you here. A code is not enough.",
    "You entered too many codes that are already taken. Wait a minute, then try another code.",
    "Too many wrong return keys. Wait a minute, then try again.",
    "This return key is wrong for the code {code}.",
    "Too many new raters have used this link from your network within an hour. "
    "You need not do anything: leave this page open.",
    "A rater's code is 1 to {longest} letters, digits, - or _, for instance K7.",
    "The code {code} is taken. Choose another one, or give its return key.",
    "The code {code} is taken, here or in another study. Choose another one, or give its return key.",
    "There is no rater with the code {code}.",
    "This link belongs to another rater.",
    "This link was closed.",
    "This link has expired.",
    "This link has been used as often as allowed.",
    # texts of the page for an ended link
    "This study no longer takes answers by this link",
    "This link has expired",
    "This link is used up",
    "You need not do anything. If you have more answers to give, ask the person who sent you the link.",
    "Ask the person who sent you the link for a new one.",
    "If the link was only for you, use the browser in which you first opened it. Otherwise ask for a new link.",
    "You could not be signed in",
    "To the study",
    # texts of consent, questions and the comprehension check
    "The text was changed after you opened it, so nothing was stored. Please read it again.",
    "There are no questions now. Load the page again.",
    "There are no questions about the task now. Load the page again.",
    "These answers were sent before, or belong to another attempt. Nothing was stored. Please look again.",
    "Agree to take part first.",
    "Answer the questions first.",
    "Answer the questions about the task first.",
    "This study is for others.",
    "Some answers to the questions about the task were wrong.",
    "You have chosen not to take part.",
    "You have left this study.",
    "Please answer: {question}",
    "Expected {expected} answers, found {found}.",
    "{question} Expected one of {choices}, found {answer}.",
    "{question} An answer has at most {longest} characters.",
    "{question} The answer holds {odd}, which cannot be stored. Remove it.",
    "{question} Expected {expected}, found {answer}.",
    "a number from {lowest} to {highest}",
    "a whole number from {lowest} to {highest}",
    "the character NUL",
    "half of a character (a lone surrogate)",
    # texts about items and answers
    "There is no study number {study}.",
    "This rater has no such item.",
    "The picture is still hidden. Answer the questions without picture first.",
    "{question} needs the picture, which is shown once {names} is answered. Answer {names} first.",
    "A sentence",
    "The explanation",
    "There is no feedback on this item.",
    "The explanation belongs to another picture, so it cannot be factual here.",
    "The score was reversed: the explanation justifies the opposite score.",
    "Your answer belongs to an item that this server no longer has. The answer is kept in this browser. "
    "Please tell the person who sent you the link.",
    "A note must be text of at most {longest} characters.",
    "The note holds {odd}, which cannot be stored. Remove it to save the note.",
    "Practice cannot be skipped. Send the report without skipping.",
    "The words of a report must be text of at most {longest} characters.",
    "The report holds {odd}, which cannot be stored. Remove it to send the report.",
    "Say in your own words what is wrong with the item.",
    "The server was restarted or restored. This page first compares its answers with it.",
    "This page belongs to another version of Capscope, or the file does not exist. Load the page again.",
    # texts about errors of the server
    "The server's database is busy with other writers, so nothing was stored. Try again in a few seconds.",
    "The server's database is locked by another program, so nothing was stored. Try again in a few seconds.",
    "Nothing was stored: the server's database was unavailable for too long. Try again.",
    "The disk with Capscope's data is full, so nothing was stored. Free some space and try again.",
    "Something went wrong. The terminal in which Capscope runs shows the details.",
    # notes that the program adds to the texts of a study's form
    "I cannot judge this, because the picture is missing.",
    "The pictures of this study are missing: you see the texts only.",
    "The pictures of this study are missing: you see the texts only. Choose N where a question needs the picture.",
    "Most items have no picture.",
    "Most items have no picture. There, choose N if a question needs the picture.",
    "Some items have no picture.",
    "Some items have no picture. There, choose N if a question needs the picture.",
    "Evaluator {number}",
)
