// Whether a caption is English, by its function words. Captions are read as English, so others are read wrongly.

const words = (/** @type {string} */ text) => new Set(text.split(/\s+/).filter(Boolean));

const ENGLISH = words(`
  a an the this that these those there here some any no not many several both each every all
  i you he she it we they me him her us them his its our their my your who which what nobody someone
  is are was were be been being am has have had does do did can could will would may might must isn aren doesn s t
  and or but nor while when because where if as than then so very also
  in on at to from with by of off up down out over under into onto through near next behind before after between
  against around across along above below beside inside outside without towards toward about for front top
  one two three four five six seven eight nine ten`);

// Only words that are no English words: "die", "man" and "was" are missing on purpose.
const FOREIGN = words(`
  der das dem den ein eine einen einem einer eines ist sind und auf mit im vom zum zur nicht kein keine auch aus bei
  von vor nach unter neben hinter sich er sie wir ihr sein seine ihre wird werden steht sitzt liegt
  le les un une des du dans sur avec est sont qui que ne pas aux pour par et ses leur leurs il elle
  el la los las una unos unas del con es esta está están y en por para su sus se que
  gli il lo della dello di che nella nel sul sulla sono uno accanto
  het een de van op met zijn voor naar niet zit staat ligt
  o os um uma uns umas dos das no na nos nas ao com são em`);
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/gu;
const MARKED_LETTERS = /[^a-z]/;
const LOANS = words(
  "café cafés façade jalapeño jalapeños piñata crème brûlée purée entrée sautéed soufflé décor fiancé fiancée rosé",
);
const MOST_OF_OTHER_SCRIPT = 0.3; // of all letters

/** Whether a caption may be English: its English function words are at least as many as its foreign words.
 * @param {string} caption */
export function mayBeEnglish(caption) {
  const letters = caption.match(/\p{L}/gu)?.length ?? 0;
  if ((caption.match(OTHER_SCRIPT)?.length ?? 0) > MOST_OF_OTHER_SCRIPT * letters) return false;
  const all = caption.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = all.filter((word) => ENGLISH.has(word)).length;
  const isMarked = (/** @type {string} */ word) => MARKED_LETTERS.test(word) && !LOANS.has(word);
  const foreign = all.filter((word) => !ENGLISH.has(word) && (FOREIGN.has(word) || isMarked(word))).length;
  return foreign <= english;
}
