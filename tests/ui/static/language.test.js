// Whether captions are called English.

import assert from "node:assert/strict";

import { mayBeEnglish } from "../../../ui/static/regions/language.js";

const PLAIN_ENGLISH = [
  "It's raining.",
  "The sky is blue.",
  "A baker is placing their goods inside a bag.",
  "Dogs bark.",
  "man rides horse",
  "Die cast toy cars in a box.",
  "A café in Los Angeles.",
  "The man was hot.",
  "",
  "42",
];
const OTHERS = [
  "Der Bus ist ein Fahrzeug.",
  "Der Bus ist ein",
  "Ein Hund sitzt auf dem Sofa.",
  "Hund auf Gras",
  "Eine Frau mit einem roten Hut.",
  "Zwei Männer stehen vor einem Haus.",
  "Die Katze schläft.",
  "Un chien est assis sur le canapé.",
  "Un perro está en el sofá.",
  "Een hond zit op de bank.",
  "Un cane sul divano.",
  "Um cão no sofá.",
  "一只狗坐在沙发上",
  "Собака сидит на диване.",
];

Deno.test("plain English is never called unreadable", () => {
  for (const caption of PLAIN_ENGLISH) assert.equal(mayBeEnglish(caption), true, caption);
});

Deno.test("another language is always noticed", () => {
  for (const caption of OTHERS) assert.equal(mayBeEnglish(caption), false, caption);
});
