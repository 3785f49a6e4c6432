import type { WebConfig } from '@fairball/contract/pages'

/** Data for the page's first render, the same in the server's HTML and in the browser. */
interface Start {
  /** The time the page was rendered for, in epoch seconds: on a page that visitors share, the minute's beginning. */
  now: number
  config: WebConfig
  /** The answers of the API that the page shows, each with the key of its query. */
  queries: readonly (readonly [key: readonly unknown[], answer: unknown])[]
}

/** The id of the element that carries it. */
const START_ID = 'start'

/** @returns the element for the document's head: JSON that no browser executes */
export function startElement(start: Start): string {
  return `<script type="application/json" id="${START_ID}">${JSON.stringify(start).replaceAll('<', String.raw`\u003c`)}</script>`
}

/** Reads what the server wrote. @throws Error if the document is not the server's */
export function readStart(document: Document): Start {
  const text = document.getElementById(START_ID)?.textContent
  if (text === undefined || text === null) throw new Error('No start values.')
  // Our own server wrote it, in the same version.
  return JSON.parse(text) as Start
}
