import type { Check, Derivation, Outcome, Report, Step } from '@fairball/domain/fairness/report'
import { verdictText } from './text-report.ts'

/** How an outcome is marked and called. */
export const OUTCOMES: Record<Outcome, { readonly mark: string; readonly word: string }> = {
  passed: { mark: '✓', word: 'passed' },
  failed: { mark: '✗', word: 'failed' },
  unchecked: { mark: '–', word: 'not checkable here' },
}

type Child = Node | string

/** Makes an element. Everything from a bundle goes in as text, never as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** The verdict, and what draw it is about. */
export function verdictView(report: Report): HTMLElement {
  const { operator, fingerprint, game, draw, state, outcome } = report
  return element(
    'div',
    { class: 'verdict', 'data-outcome': outcome },
    element('h2', { id: 'verdict', tabindex: '-1' }, markOf(outcome), element('span', {}, verdictText(report))),
    definitions([
      ['Draw', `${game} ${draw}, ${state}`],
      ['Operator', operator || 'not known'],
      ['Key fingerprint', fingerprint || 'not known'],
    ]),
    element(
      'p',
      { class: 'hint' },
      'Compare the fingerprint with another source: whoever made the bundle could have used a key of their own.',
    ),
  )
}

/** One of the seven steps, open where something failed. */
export function stepView(step: Step, place: number): HTMLElement {
  const made = element(
    'details',
    { class: 'step', 'data-outcome': step.outcome },
    element(
      'summary',
      {},
      markOf(step.outcome),
      element('span', { class: 'title' }, `${place + 1}. ${step.title}`),
      element('span', { class: 'word' }, OUTCOMES[step.outcome].word),
    ),
    element('ul', { class: 'checks' }, ...step.checks.map(checkView)),
  )
  made.open = step.outcome === 'failed'
  return made
}

function checkView({ id, title, outcome, detail, inputs }: Check): HTMLElement {
  const made = element(
    'li',
    { 'data-outcome': outcome, 'data-check': id },
    markOf(outcome),
    element('div', {}, element('p', { class: 'asked' }, title), element('p', { class: 'detail' }, detail)),
  )
  if (inputs.length > 0) {
    const list = definitions(inputs.map(({ name, value }) => [name, value]))
    made.lastElementChild?.append(
      element('details', { class: 'inputs' }, element('summary', {}, 'What went into it'), list),
    )
  }
  return made
}

/** The balls in the order drawn. */
export function ballsView(report: Report): HTMLElement | null {
  if (report.derivation === null) return null
  const balls = report.derivation.balls.map(({ number }) =>
    element('li', { class: 'ball' }, element('span', {}, String(number))),
  )
  return element('ol', { class: 'balls', 'aria-label': 'Numbers in the order drawn' }, ...balls)
}

/** The way from seed and randomness to the balls (fairness section 8). */
export function derivationView(derivation: Derivation | null): HTMLElement | null {
  if (derivation === null) return null
  const { seed, openHash, closeHash, round, signature, randomness, key, balls, pool } = derivation
  return element(
    'section',
    { 'aria-labelledby': 'derivation' },
    element('h2', { id: 'derivation' }, 'How the numbers came about'),
    element(
      'p',
      {},
      `${pool} balls lie in a row. A byte says which of those left is taken: the byte modulo how many are left, counted from 0. A byte that would favour some of them is thrown away.`,
    ),
    definitions([
      ['Seed', seed],
      ['Open hash', openHash],
      ['Close hash', closeHash],
      ['Round', String(round)],
      ['Signature of the round', signature],
      ['Randomness', randomness],
      ['Key of the draw', key],
    ]),
    table(
      'Ball by ball',
      ['Ball', 'Bytes thrown away', 'Byte', 'Place', 'Number'],
      balls.map(({ number, bytes, place }, index) => {
        const used = bytes.at(-1)
        const thrown = bytes.slice(0, -1).map(({ byte, limit }) => `${byte} ≥ ${limit}`)
        return [
          String(index + 1),
          thrown.join(', ') || 'none',
          String(used?.byte),
          `${used?.byte} mod ${used?.remaining} = ${place}`,
          String(number),
        ]
      }),
    ),
  )
}

/** Winners and amounts by this page's own sums. */
export function tiersView({ tiers }: Report): HTMLElement | null {
  if (tiers === null) return null
  const rows = tiers.map(({ matches, kind, winners, satsEach }) => [
    String(matches),
    kind,
    winners.toLocaleString('en'),
    kind === 'free' ? 'free ticket' : `${satsEach.toLocaleString('en')} satoshis`,
  ])
  return element(
    'section',
    { 'aria-labelledby': 'prizes' },
    element('h2', { id: 'prizes' }, 'The prizes'),
    table('Winners and amounts', ['Matches', 'Prize', 'Winners', 'Each gets'], rows),
  )
}

function markOf(outcome: Outcome): HTMLElement {
  return element('span', { class: 'mark', role: 'img', 'aria-label': OUTCOMES[outcome].word }, OUTCOMES[outcome].mark)
}

function definitions(rows: readonly (readonly [string, string])[]): HTMLElement {
  const list = element('dl', {})
  for (const [name, value] of rows) list.append(element('dt', {}, name), element('dd', {}, value))
  return list
}

function table(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const cells = (row: readonly string[]): HTMLElement[] =>
    row.map((cell, column) => element('td', { 'data-head': heads[column] ?? '' }, cell))
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row)))),
  )
}
