/**
 * The script of the offline page. It is the page's worker as well: the page hands its own text to a worker, so that the
 * file holds every line once and nothing has to be fetched.
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
      // A browser that gives a file no worker: the page stands still until it is done.
      requestAnimationFrame(() => requestAnimationFrame(() => tell(answer(question))))
    }
  })
}
