import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { useRead } from '../../shared/api.ts'
import type { SignedRequest } from '../../shared/calls.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { paths } from '../../shared/paths.ts'
import { roleNames } from '../../shared/roles.ts'
import { Columns, Part, Screen } from '../../shared/screen.tsx'
import { useMe } from '../../shared/session.ts'
import { FactList } from '../../shared/signing/fact-list.tsx'
import { outcomeOf } from '../../shared/signing/outcome-text.ts'
import { kindTitle, sentenceOf } from '../../shared/signing/sentences.ts'
import { useSigning } from '../../shared/signing/signing.ts'
import { useWaitsForMe } from '../../shared/waiting.ts'
import { OneTimeFile } from './one-time-file.tsx'
import { RequestState } from './request-table.tsx'

/** One request: what it does, what it is about, who signed, and the buttons of people who may still decide. */
export function RequestScreen({ id }: { id: string }) {
  const request = useRead('getRequest', { params: { id } }, { isRenewed: true })
  return (
    <Loaded of={request} rows={6}>
      {(answer) => <Request request={answer} />}
    </Loaded>
  )
}

function Request({ request }: { request: SignedRequest }) {
  const { kind, args, facts, state, is_changed } = request
  const { kind: mood, text } = outcomeOf(request)
  return (
    <Screen title={kindTitle(kind)} lead={sentenceOf(kind, args, facts)} actions={<Decisions request={request} />}>
      {state !== 'proposed' && <Banner kind={mood}>{text}</Banner>}
      {is_changed === true && (
        <Banner kind="warning">
          What this is about has changed since it was proposed. It can’t be approved: reject it, and propose it again.
        </Banner>
      )}
      <Columns>
        <Part title="What it is about">
          <FactList facts={facts} />
          <Subject args={args} />
        </Part>
        <Part title="Who asks, and who signed">
          <People request={request} />
        </Part>
      </Columns>
      {typeof request.result?.['file'] === 'string' && <OneTimeFile id={request.result['file']} />}
      <Disclosure title="Exactly as it was asked for">
        <FactList facts={{ request: request.id, kind, ...args }} />
      </Disclosure>
    </Screen>
  )
}

function People({ request }: { request: SignedRequest }) {
  const { reason, proposed_by, created_at, expires_at, needs, signatures } = request
  return (
    <DefinitionList
      ruled
      items={[
        { term: 'State', value: <RequestState request={request} /> },
        { term: 'Reason', value: reason },
        { term: 'Proposed by', value: proposed_by?.name ?? 'an invited person' },
        { term: 'Proposed', value: <Moment at={created_at} /> },
        { term: 'Expires', value: <Moment at={expires_at} /> },
        { term: 'Needs', value: needsText(needs) },
        ...signatures.map(({ part, staff, signed_at }) => ({
          term: part === 'propose' ? 'Signed to propose' : 'Signed to approve',
          value: (
            <>
              {staff.name}, <Moment at={signed_at} />
            </>
          ),
        })),
      ]}
    />
  )
}

function needsText({ signatures, roles }: SignedRequest['needs']): string {
  return signatures < 2 ? 'One signature' : `Two signatures, the second by ${roleNames(roles)}`
}

/** A link to what the request changes, where that has a page. */
function Subject({ args }: { args: SignedRequest['args'] }) {
  const { batch, player, order } = args
  if (typeof batch === 'string' && /^(?:ln:)?\d+$/u.test(batch))
    return <Link href={paths.payout(batch)}>Payout batch {batch}</Link>
  if (typeof player === 'string') return <Link href={paths.player(player)}>The player</Link>
  if (typeof order === 'string') return <Link href={paths.order(order)}>The order</Link>
  return null
}

function Decisions({ request }: { request: SignedRequest }) {
  const me = useMe()
  const { decide } = useSigning()
  const waitsForMe = useWaitsForMe()
  if (request.state !== 'proposed') return null
  const isOwn = request.proposed_by?.id === me.id
  const mayApprove = waitsForMe(request)
  return (
    <>
      {mayApprove && request.is_changed !== true && <Button onClick={() => decide('approve', request)}>Approve</Button>}
      {mayApprove && (
        <Button variant="danger" onClick={() => decide('reject', request)}>
          Reject
        </Button>
      )}
      {isOwn && (
        <Button variant="secondary" onClick={() => decide('cancel', request)}>
          Cancel the request
        </Button>
      )}
    </>
  )
}
