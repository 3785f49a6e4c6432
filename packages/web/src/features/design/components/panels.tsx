import { GAMES } from '@fairball/domain/games'
import { paths } from '../../../app/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { SectionTitle } from '../../../ui/page-title.tsx'
import { Receipt } from '../../../ui/receipt.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { TicketCard } from '../../../ui/ticket-card.tsx'
import { Link } from '../../../ui/link.tsx'
import { Section, Specimen, Stack } from './specimen.tsx'
import styles from './panels.module.css'

const FACTORS = [
  { term: 'Lines', value: '3' },
  { term: 'Draws', value: '4' },
  { term: 'Price of a line', value: '£1.00' },
]

/** What holds other things: cards, game cards, receipts, lists and what opens. */
export function Panels() {
  return (
    <Section id="panels">
      <Specimen name="Cards" of={['card.tsx']}>
        {() => (
          <Stack>
            <Card title="A card" lead="A sentence under its title." level={3}>
              <p>Panels are not nested.</p>
            </Card>
            <Card
              title="With actions"
              level={3}
              actions={
                <Button variant="soft" size="small">
                  Edit
                </Button>
              }
            >
              <DefinitionList ruled items={FACTORS} />
            </Card>
            <Card>
              <p>Without a title.</p>
            </Card>
          </Stack>
        )}
      </Specimen>
      <Specimen name="Titles" of={['page-title.tsx']}>
        {() => <SectionTitle aside={<Link href={paths.links()}>Something beside it</Link>}>A section</SectionTitle>}
      </Specimen>
      <Specimen name="Game cards" of={['ticket-card.tsx']}>
        {() => (
          <div className={styles['tickets']}>
            {GAMES.map(({ key, name, pick, pool }, place) => (
              <TicketCard
                key={key}
                world={key}
                href={paths.game(key)}
                title={name}
                amount={['£999.9M', '£1.2M', '£20K'][place % 3] ?? ''}
                note={`Estimated jackpot · pick ${pick} from ${pool}`}
                ball={pick}
                when="Tonight"
                time="8:00 PM"
                action="Play for £1"
              />
            ))}
          </div>
        )}
      </Specimen>
      <Specimen name="Receipts" of={['receipt.tsx', 'definition-list.tsx']}>
        {() => (
          <Stack>
            <Receipt
              title="Your order"
              level={3}
              items={FACTORS}
              total="£12.00"
              totalNote="≈ 0.00012500 BTC"
              action={<Button block>PLAY</Button>}
              note="Next you see the address to pay to."
            />
            <Receipt title="Only the sum" level={3} items={FACTORS} totalLabel="Paid" total="£999,999,999.00" />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Lists of terms" of={['definition-list.tsx']}>
        {() => (
          <Stack>
            <DefinitionList items={FACTORS} />
            <DefinitionList items={FACTORS} ruled />
          </Stack>
        )}
      </Specimen>
      <Specimen name="What opens" of={['disclosure.tsx']}>
        {() => (
          <Stack>
            <Disclosure title="Closed" aside={<Tag kind="success">You win a prize</Tag>} level={4}>
              <p>What belongs to it.</p>
            </Disclosure>
            <Disclosure title="Open" startsOpen level={4}>
              <p>What belongs to it.</p>
            </Disclosure>
          </Stack>
        )}
      </Specimen>
    </Section>
  )
}
