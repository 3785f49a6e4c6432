import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { usePlace } from '../../shared/navigation.tsx'
import { Nothing, Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { State } from '../../shared/state.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import { Deliveries } from './deliveries.tsx'
import styles from './integrations.module.css'
import { useSite } from '../../shared/site.ts'
import { KeyAction, WebhookAction } from './new-actions.tsx'
import { widgetLine } from './widget-line.ts'

type Webhook = AnswerOf<'listWebhooks'>[number]
type Key = AnswerOf<'listApiKeys'>[number]

const WEBHOOKS: readonly Column<Webhook>[] = [
  { key: 'url', heading: 'Address', cell: ({ url }) => url, sort: ({ url }) => url },
  { key: 'types', heading: 'Events', cell: ({ types }) => types.join(', ') },
  { key: 'state', heading: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { key: 'do', heading: 'Change', cell: (webhook) => <ChangeWebhook webhook={webhook} /> },
]
const KEYS: readonly Column<Key>[] = [
  { key: 'name', heading: 'Name', cell: ({ name }) => name, sort: ({ name }) => name },
  { key: 'scopes', heading: 'May read', cell: ({ scopes }) => scopes.join(', ') },
  {
    key: 'expires',
    heading: 'Expires',
    cell: ({ expires_at }) => <Moment at={expires_at} />,
    sort: ({ expires_at }) => expires_at,
  },
  {
    key: 'made',
    heading: 'Made',
    cell: ({ created_at }) => <Moment at={created_at} />,
    sort: ({ created_at }) => created_at,
  },
  { key: 'do', heading: 'Change', cell: (key) => <RevokeKey of={key} /> },
]

function WebhookState({ webhook: { state, disabled_because, failing_since } }: { webhook: Webhook }) {
  switch (state) {
    case 'active':
      return <State mood="good">Delivers</State>
    case 'failing':
      return (
        <>
          <State mood="bad">Fails</State> {failing_since !== null && <Moment at={failing_since} />}
        </>
      )
    case 'disabled':
      return <State mood="off">{`Disabled: ${disabled_because ?? 'it failed for days'}`}</State>
    case 'revoked':
      return <State mood="off">Removed</State>
  }
}

function ChangeWebhook({ webhook: { id, url, state } }: { webhook: Webhook }) {
  if (state === 'revoked') return '–'
  return (
    <span className={styles['actions']}>
      <ActionButton kind="webhooks.rotate" args={{ id }} label={`New secret for the webhook to ${url}`}>
        New secret
      </ActionButton>
      <ActionButton kind="webhooks.revoke" args={{ id }} variant="danger" label={`Remove the webhook to ${url}`}>
        Remove
      </ActionButton>
    </span>
  )
}

function RevokeKey({ of: { id, name, revoked_at } }: { of: Key }) {
  if (revoked_at !== null) return <State mood="off">Revoked</State>
  return (
    <ActionButton kind="api-keys.revoke" args={{ id }} variant="danger" label={`Revoke the API key ${name}`}>
      Revoke
    </ActionButton>
  )
}

/** What other programs are told, what they may read, and what other sites may show. */
export function IntegrationsScreen() {
  const { query, with: at } = usePlace()
  const webhooks = useRead('listWebhooks')
  const { webhook: opened = '' } = query
  return (
    <Screen
      title="Integrations"
      lead="Webhooks tell other programs what happened. API keys let them read. Widgets show a game elsewhere."
    >
      <Part title="Webhooks" actions={<WebhookAction />}>
        <Loaded of={webhooks}>
          {(results) => (
            <ConsoleTable
              name="webhooks"
              caption="Webhooks"
              columns={WEBHOOKS}
              rows={results}
              rowKey={({ id }) => id}
              hrefOf={({ id }) => at({ webhook: id })}
              empty="There are no webhooks."
            />
          )}
        </Loaded>
      </Part>
      {opened !== '' && <Deliveries webhook={opened} />}
      <KeysAndWidgets />
    </Screen>
  )
}

function KeysAndWidgets() {
  const keys = useRead('listApiKeys')
  return (
    <>
      <Part title="API keys" actions={<KeyAction />}>
        <Loaded of={keys}>
          {(results) => (
            <ConsoleTable
              name="keys"
              caption="API keys"
              columns={KEYS}
              rows={results}
              rowKey={({ id }) => id}
              empty="There is no API key."
            />
          )}
        </Loaded>
      </Part>
      <Widgets />
    </>
  )
}

/** The line of HTML that shows a game on another site. */
function Widgets() {
  const games = useRead('listGames')
  const { url } = useSite()
  return (
    <Part title="Widgets">
      <Loaded of={games} rows={2}>
        {({ results }) => (
          <ul className={styles['widgets']}>
            {results.length === 0 && <Nothing>A game has to be on sale first.</Nothing>}
            {results.map((game) => (
              <li key={game.key} className={styles['widget']}>
                <code className={styles['code']}>{widgetLine(url, game)}</code>
                <CopyButton text={widgetLine(url, game)} label={`Copy the line for ${game.name}`} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Part>
  )
}
