import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { useRead } from '../api.ts'
import type { SignedRequest } from '../calls.ts'
import { paths } from '../paths.ts'
import { outcomeOf } from './outcome-text.ts'
import styles from './signing.module.css'

/** What became of a request. */
export interface Result extends Pick<SignedRequest, 'id' | 'state' | 'result'> {
  /** who may give the second signature */
  readonly roles: SignedRequest['needs']['roles']
}

/** The end of the dialog: what happened, and what comes next. */
export function Outcome({ result, onClose }: { result: Result; onClose: () => void }) {
  // A light request has no page.
  return result.state === 'approved' ? (
    <Waiting result={result} onClose={onClose} />
  ) : (
    <Said result={result} onClose={onClose} />
  )
}

/** The worker takes longer than the call waits. */
function Waiting({ result, onClose }: { result: Result; onClose: () => void }) {
  const { data } = useRead('getRequest', { params: { id: result.id } }, { isRenewed: true })
  return <Said result={{ ...result, ...data }} onClose={onClose} />
}

function Said({ result, onClose }: { result: Result; onClose: () => void }) {
  const { kind, text } = outcomeOf(result)
  return (
    <div className={styles['step']}>
      <Banner kind={kind} live>
        {text}
      </Banner>
      <div className={styles['buttons']}>
        <Button onClick={onClose}>Close</Button>
        <LinkButton variant="soft" href={paths.request(result.id)} onClick={onClose}>
          The request
        </LinkButton>
      </div>
    </div>
  )
}
