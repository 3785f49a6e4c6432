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
import { KeyAction, WebhookAction } from './new-actions.tsx'

type Webhook = AnswerOf<'listWebhooks'>['results'][number]
type Key = AnswerOf<'listApiKeys'>['results'][number]

const WEBHOOKS: readonly Column<Webhook>[] = [
  { key: 'url', heading: 'Address', cell: ({ url }) => url, sort: ({ url }) => url },
  { key: 'types', heading: 'Events', cell: ({ types }) => types.join(', ') },
  { key: 'state', heading: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    key: 'last',
    heading: 'Last delivery',
    cell: ({ last_success_at }) => <Moment at={last_success_at} />,
    sort: ({ last_success_at }) => last_success_at,
  },
  { key: 'do', heading: 'Change', cell: (webhook) => <RevokeWebhook webhook={webhook} /> },
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
    key: 'used',
    heading: 'Last used',
    cell: ({ last_used_at }) => <Moment at={last_used_at} />,
    sort: ({ last_used_at }) => last_used_at,
  },
  { key: 'do', heading: 'Change', cell: (key) => <RevokeKey of={key} /> },
]

function WebhookState({ webhook: { disabled_at, disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (disabled_at !== null) return <State mood="off">{`Ended: ${disabled_reason ?? 'removed'}`}</State>
  if (failing_since !== null) return <State mood="bad">Fails</State>
  return <State mood="good">Delivers</State>
}

function RevokeWebhook({ webhook: { id, url, disabled_at } }: { webhook: Webhook }) {
  if (disabled_at !== null) return '–'
  return (
    <ActionButton kind="webhooks.revoke" args={{ id }} variant="danger" label={`Remove the webhook to ${url}`}>
      Remove
    </ActionButton>
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
          {({ results }) => (
            <ConsoleTable
              name="webhooks"
              caption="Webhooks"
              columns={WEBHOOKS}
              rows={results}
              rowKey={({ id }) => id}
              hrefOf={({ id }) => at({ webhook: id })}
              empty="No program is told anything."
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
          {({ results }) => (
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
      <Part title="Widgets">
        <Loaded of={keys} rows={2}>
          {({ widgets }) => (
            <ul className={styles['widgets']}>
              {widgets.length === 0 && <Nothing>A game has to be on sale first.</Nothing>}
              {widgets.map(({ game, html }) => (
                <li key={game} className={styles['widget']}>
                  <code className={styles['code']}>{html}</code>
                  <CopyButton text={html} label={`Copy the line for ${game}`} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Part>
    </>
  )
}
