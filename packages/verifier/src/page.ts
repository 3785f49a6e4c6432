import type { Question, Told } from './page-question.ts'
import { drawView, element, logView, verdictView } from './page-view.ts'

/** Sends a question to a worker, so that the page stays responsive. */
type Ask = (question: Question, tell: (told: Told) => void) => void

/** Starts the page: its form, dropped files and the report. */
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

/** Number of questions asked, so that the answer to an earlier one is ignored. */
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
  say(`Verifying ${file.name} …`)
  const question = await questionOf(file)
  if (question === null || mine !== asked) return
  busy(true)
  ask(question, (told) => {
    if (mine !== asked) return
    busy(false)
    if (told.kind === 'error') say(told.message, true)
    else show(told)
  })
}

async function questionOf(file: File): Promise<Question | null> {
  try {
    const [trust] = byId('trust', HTMLInputElement).files ?? []
    return {
      file: new Uint8Array(await file.arrayBuffer()),
      trust: trust === undefined ? null : await trust.text(),
      policy: policyOf(byId('policy', HTMLTextAreaElement).value),
      key: byId('key', HTMLInputElement).value.replaceAll(/\s/g, '').toLowerCase() || null,
    }
  } catch {
    say('The file cannot be read.', true)
    return null
  }
}

/** The typed or pasted policy, with a line feed after each line; null if there is none. */
function policyOf(typed: string): string | null {
  const lines = typed.split(/\r?\n/).map((line) => line.trim())
  const text = lines.join('\n').trim()
  return text === '' ? null : `${text}\n`
}

function show({ judged, evidence }: Extract<Told, { kind: 'report' }>): void {
  const { report, titles } = judged
  const draws = report.draws.map((draw, place) => drawView(draw, titles[place] ?? ''))
  const parts = [verdictView(judged), savingView(report, evidence), ...draws, logView(report.checks)]
  byId('report', HTMLElement).replaceChildren(...parts.filter((part) => part !== null))
  say('')
  byId('verdict', HTMLElement).focus()
}

/** Links that save the report and the evidence. */
function savingView(report: object, evidence: string | null): HTMLElement {
  const links = [saveLink('Save this report', 'fairball-report.json', `${JSON.stringify(report, null, 1)}\n`)]
  if (evidence !== null) links.unshift(saveLink('Save the evidence', 'fairball-evidence.json', evidence))
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

/** An element of the page's own markup. */
function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`the page has no element ${id}`)
  return found
}
