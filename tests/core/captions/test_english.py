"""Whether captions are called English."""

import gzip
import json
from pathlib import Path

from core.captions.english import may_be_english

PLAIN_ENGLISH = [
    "It's raining.", "The sky is blue.", "A baker is placing their goods inside a bag.", "Dogs bark.",
    "man rides horse", "Die cast toy cars in a box.", "A café in Los Angeles.", "The man was hot.", "", "42", "…",
    "Barack Obama and Angela Merkel shake hands.", "Grace Hopper", "tennis", "A van and a die.", "man with van",
    "A piñata hangs above the guests at a fiesta in San José.", "A jalapeño and crème fraîche on a plate.",
    "Björk sings on a stage.", "São Paulo skyline at night", "Feliz Navidad sign on a door.", "Sunset over Kyoto",
    "An El Camino parked by a bodega", "OMG so cute!!!", "the chicago skyline", "Siamese cat", "no dogs", "NO DOGS",
]  # fmt: skip
OTHERS = [
    "Der Bus ist ein Fahrzeug.", "Der Bus ist ein", "Ein Hund sitzt auf dem Sofa.", "Hund auf Gras", "Eine Pizza",
    "Eine Frau mit einem roten Hut.", "Zwei Männer stehen vor einem Haus.", "Die Katze schläft.", "Hund in Schnee",
    "Zwei Hunde spielen.", "Ein Bus in Berlin", "Kinder spielen Fußball", "Drei Kinder laufen am Strand",
    "Auf dem Tisch steht eine Lampe", "Frau am Computer", "Un chien est assis sur le canapé.", "Un homme",
    "La pizza est sur la table", "Deux hommes jouent au football", "Un perro está en el sofá.", "La pizza en la mesa",
    "Perro negro corriendo", "Een hond zit op de bank.", "Man op een fiets", "Un cane sul divano.", "Um cão no sofá.",
    "A mulher no carro", "En hund sitter på en soffa", "To mænd står foran et hus", "Mies istuu sohvalla",
    "Pies siedzi na kanapie", "Bir köpek kanepede oturuyor", "Seorang pria duduk di sofa", "Egy kutya ül a kanapén",
    "一只狗坐在沙发上", "犬がソファに座っている", "소파 위의 개", "Собака сидит на диване.", "كلب يجلس على الأريكة",
    "כלב יושב על הספה", "कुत्ता सोफे पर बैठा है", "Ένας σκύλος κάθεται",
]  # fmt: skip


def test_plain_english_is_never_called_unreadable_and_another_language_is_noticed() -> None:
    assert [caption for caption in PLAIN_ENGLISH if not may_be_english(caption)] == []
    assert [caption for caption in OTHERS if may_be_english(caption)] == []


def test_peoples_captions_of_pictures_are_english(shared_dir: Path) -> None:
    with gzip.open(shared_dir / "data" / "coco" / "captions_val2017.json.gz") as file:
        captions = [one["caption"] for one in json.load(file)["annotations"]]
    assert [caption for caption in captions if not may_be_english(caption)] == []
