/**
 * The script of the offline page and of its worker: the page starts the worker with the text of its own script, so that
 * the file holds the code once and nothing is fetched.
 */
import { answer, type Question, type Told } from './page-question.ts'
import { startPage } from './page.ts'

if (typeof document === 'undefined') {
  addEventListener('message', ({ data }: MessageEvent<Question>) => postMessage(answer(data)))
} else {
  const script = document.currentScript?.textContent ?? ''
  startPage((question, tell) => {
    const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
    const failed = (): void => tell({ kind: 'error', message: 'This browser could not verify the file.' })
    try {
      const worker = new Worker(address)
      worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
        tell(data)
        worker.terminate()
      })
      worker.addEventListener('error', failed)
      worker.postMessage(question)
    } catch {
      // The browser allows no workers for a file, so the page is blocked during the verification.
      requestAnimationFrame(() => requestAnimationFrame(() => tell(answer(question))))
    }
  })
}
