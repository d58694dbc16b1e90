// Types of our own that scripts share. Those of requests and answers are in wire.d.ts.

import type { Answer } from "./wire.d.ts";

/** What an element can hold: text, other elements, lists of them; nothing where there is nothing to show. */
export type Child = Node | string | number | false | null | undefined | Child[];

/** What stands for nothing. */
export type Absent = false | null | undefined | "";
export type Present = <Things extends unknown[]>(...things: Things) => Exclude<Things[number], Absent>[];

/** The element that a tag makes. */
export type Made<Tag extends string> = Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag]
  : Tag extends keyof SVGElementTagNameMap ? SVGElementTagNameMap[Tag]
  : HTMLElement;

type Listeners = {
  [Name in keyof GlobalEventHandlersEventMap]?: ((event: GlobalEventHandlersEventMap[Name]) => void) | null | false;
};
/** What el gives an element: listeners by the names of their events, and attributes. */
export interface Attributes extends Listeners {
  // deno-lint-ignore no-explicit-any
  [name: string]: any;
}

/** The box of a plot, with what plotly adds to it and what we remember of it. */
export interface PlotBox extends HTMLDivElement {
  on(event: string, listener: (event: any) => void): void;
  removeAllListeners(event: string): void;
}

/** A study as raters see it, and one of its items with what this browser adds. */
export type Study = Answer<"GET", "/api/rate/studies">[number];
export type Criterion = Study["criteria"][number];
export type Rater = NonNullable<Answer<"POST", "/api/rate/session">["rater"]>;
export type Queue = Answer<"GET", `/api/rate/studies/${number}/items`>;
export type Guideline = Criterion["guidelines"][number];
export type Panel = Queue["items"][number]["panels"][number];
export type QueuedItem = Queue["items"][number];
export type Item = QueuedItem & {
  picture?: HTMLImageElement; // fetched ahead, where the item has an image
  decoded?: boolean; // the item's picture is decoded ahead
  loading?: Promise<unknown>; // done when the picture is there, or has failed
  sight: Sight;
  asked?: boolean; // the item's regions were requested
  seen?: boolean; // the item's picture has been on the page
};

/** How long an item has been in sight and how long ago it was first shown, in ms; first: when that was by this page's clock. */
export interface Sight {
  ms: number;
  shown: number;
  first: number | null;
}

/** One thing that a rater did, as the outbox keeps it: without its age, which is only known when it is sent. */
export interface Save {
  key: string;
  assignment: string;
  kind: "rating" | "reveal" | "note" | "report";
  in_sight_ms?: number;
  shown_ms?: number;
  panel?: number;
  criterion?: string;
  point?: number;
  regions_shown?: boolean;
  picture_shown?: boolean;
  text?: string;
  said?: QueuedItem["report"];
}

declare global {
  interface Window {
    Plotly?: any; // a library without types of its own
  }
}
