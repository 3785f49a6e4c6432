import { useMutation, useQuery } from '@tanstack/react-query'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { useApi, useReadAgain } from '../api.ts'
import { Failed } from '../failed.tsx'
import { Failure } from '../failure.ts'
import { momentText } from '../moments.ts'
import { useKeyChoice } from '../passkeys/use-key-choice.tsx'
import { endOfActionText } from '@fairball/contract/console/action-text'
import { refusalOf } from './check-text.ts'
import type { Shown } from './check-text.ts'
import { FactList } from './fact-list.tsx'
import type { Result } from './outcome.tsx'
import { sentenceOf } from './sentences.ts'
import styles from './signing.module.css'

/** Props of {@link SignStep}. */
interface SignStepProps {
  shown: Shown
  /** how many signatures the request needs */
  signatures: number
  onEnd: (result: Result) => void
  onClose: () => void
}

/** Codes after which the text is worth nothing more. */
const OVER = ['REQUEST_CLOSED', 'STALE', 'ACCESS_DENIED', 'SECOND_PERSON_NEEDED']

/** Shows what is signed: the sentence, the facts, the text in full; and has a passkey sign it. */
export function SignStep({ shown, signatures, onEnd, onClose }: SignStepProps) {
  const api = useApi()
  const readAgain = useReadAgain()
  const { field, sign } = useKeyChoice(shown.options)
  const check = useQuery({
    queryKey: ['text-to-sign', shown.text],
    queryFn: () => refusalOf(shown, location.origin),
    retry: false,
    staleTime: Infinity,
  })
  const signing = useMutation({
    mutationFn: async () => {
      // A page that has shown something else does not sign, whatever it was told before.
      const refusal = await refusalOf(shown, location.origin)
      if (refusal !== null) throw new Error(refusal)
      const response = await sign(shown.options)
      const name = shown.part === 'propose' ? 'signRequest' : 'approveRequest'
      const { state, result } = await api.call(name, { params: { id: shown.request }, body: { response } })
      await readAgain()
      onEnd({ id: shown.request, state, result, roles: [] })
    },
  })
  const isOver = signing.error instanceof Failure && OVER.includes(signing.error.code)
  const refusal =
    check.data ?? (check.isError ? 'The text could not be checked in this browser. Do not sign it.' : null)
  return (
    <div className={styles['step']}>
      <p className={styles['sentence']}>{sentenceOf(shown.kind, shown.args, shown.facts)}</p>
      <p className={styles['reason']}>Reason: {shown.reason}</p>
      <FactList facts={shown.facts} />
      <Disclosure title="The full text that you sign">
        <pre className={styles['text']}>{shown.text}</pre>
      </Disclosure>
      <Expiry text={shown.text} />
      {refusal !== null && <Banner kind="danger">{refusal}</Banner>}
      {field}
      <Failed error={signing.error} />
      {isOver ? (
        <Button block variant="secondary" onClick={onClose}>
          Close
        </Button>
      ) : (
        <Button
          block
          busy={signing.isPending}
          disabled={check.data !== null || check.isPending}
          onClick={() => signing.mutate()}
        >
          {buttonOf(shown.part, signatures)}
        </Button>
      )}
    </div>
  )
}

function Expiry({ text }: { text: string }) {
  const expires = endOfActionText(text)?.expires
  if (expires === undefined) return null
  return <p className={styles['expiry']}>The text can be signed until {momentText(expires, expires)} UTC.</p>
}

function buttonOf(part: Shown['part'], signatures: number): string {
  if (part === 'approve') return 'Sign and approve'
  return signatures > 1 ? 'Sign and propose' : 'Sign and carry out'
}
