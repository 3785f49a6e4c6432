import { reportJson } from '@fairball/domain/fairness/bundle-file'
import type { Report } from '@fairball/domain/fairness/report'
import type { Question, Told } from './page-question.ts'
import { ballsView, derivationView, element, OUTCOMES, stepView, tiersView, verdictView } from './page-view.ts'

/** Has a question answered elsewhere, so that the page stays alive; tells as it goes. */
type Ask = (question: Question, tell: (told: Told) => void) => void

/** Brings the page to life: its form, files that are dropped on it, and the report. */
export function startPage(ask: Ask): void {
  const form = byId('form', HTMLFormElement)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void verify(ask)
  })
  document.addEventListener('dragover', (event) => event.preventDefault())
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    const files = event.dataTransfer?.files
    if (files === undefined || files.length === 0) return
    byId('bundle', HTMLInputElement).files = files
    void verify(ask)
  })
}

/** Counts the questions, so that an answer to an earlier one is not shown under a later one. */
let asked = 0

async function verify(ask: Ask): Promise<void> {
  asked += 1
  const mine = asked
  const [file] = byId('bundle', HTMLInputElement).files ?? []
  if (file === undefined) {
    say('Choose a bundle first.', true)
    return
  }
  byId('report', HTMLElement).replaceChildren()
  say(`Reading ${file.name} …`)
  const question = await questionOf(file)
  if (question === null || mine !== asked) return
  say('Verifying …')
  busy(true)
  let steps = 0
  ask(question, (told) => {
    if (mine !== asked) return
    if (told.kind === 'step') {
      steps += 1
      say(`Step ${steps} of 7: ${told.step.title}, ${OUTCOMES[told.step.outcome].word}.`)
      return
    }
    busy(false)
    if (told.kind === 'error') say(told.message, true)
    else show(told)
  })
}

async function questionOf(file: File): Promise<Question | null> {
  try {
    const key = typed('key')?.replaceAll(/\s/g, '').toLowerCase() ?? null
    if (key !== null && !/^[0-9a-f]{64}$/.test(key)) {
      say('A key and its fingerprint have 64 digits and letters, from 0 to 9 and from a to f.', true)
      return null
    }
    const receipts = [...(byId('receipts', HTMLInputElement).files ?? [])]
    const [bundle = '', ...texts] = await Promise.all([file, ...receipts].map((one) => one.text()))
    return { bundle, receipts: texts, username: typed('username'), key }
  } catch {
    say('The file cannot be read.', true)
    return null
  }
}

function show({ report, evidence }: Extract<Told, { kind: 'report' }>): void {
  const steps = element(
    'section',
    { 'aria-labelledby': 'steps' },
    element('h2', { id: 'steps' }, 'The seven steps'),
    ...report.steps.map(stepView),
  )
  const parts = [
    verdictView(report),
    ballsView(report),
    savingView(report, evidence),
    steps,
    derivationView(report.derivation),
    tiersView(report),
  ]
  const place = byId('report', HTMLElement)
  place.setAttribute('data-game', report.game)
  place.replaceChildren(...parts.filter((part) => part !== null))
  say('')
  byId('verdict', HTMLElement).focus()
}

/** Links that save the report, and what shows a failure to others. */
function savingView(report: Report, evidence: { name: string; text: string } | null): HTMLElement {
  const text = `${JSON.stringify(reportJson(report), null, 2)}\n`
  const links = [saveLink('Save this report', `fairball-${report.game}-${report.draw}.report.json`, text)]
  if (evidence !== null) links.unshift(saveLink('Save the evidence', evidence.name, evidence.text))
  return element('p', { class: 'saving' }, ...links)
}

function saveLink(label: string, name: string, text: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  return element('a', { class: 'button', href, download: name }, label)
}

function say(text: string, isProblem = false): void {
  const status = byId('status', HTMLElement)
  status.toggleAttribute('data-problem', isProblem)
  status.textContent = text
}

function busy(isBusy: boolean): void {
  byId('verify', HTMLButtonElement).toggleAttribute('aria-busy', isBusy)
}

function typed(id: string): string | null {
  const value = byId(id, HTMLInputElement).value.trim()
  return value === '' ? null : value
}

/** An element of the page's own markup. */
function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`the page has no ${id}`)
  return found
}
