import { paths } from '../../../app/paths.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ArrowRightIcon, DiceIcon, PencilIcon, TrashIcon } from '../../../ui/icons.tsx'
import { Anchor, Link } from '../../../ui/link.tsx'
import { Row, Section, Specimen } from './specimen.tsx'
import styles from './actions.module.css'

const VARIANTS = ['primary', 'secondary', 'soft', 'danger'] as const
const SIZES = ['small', 'normal', 'hero'] as const

/** What is pressed: buttons in every look and state, and links. */
export function Actions() {
  return (
    <Section id="actions">
      <Specimen name="Buttons" of={['button.tsx']}>
        {() => (
          <>
            {VARIANTS.map((variant) => (
              <Row key={variant} name={variant}>
                <Button variant={variant}>Ready</Button>
                <Button variant={variant} busy>
                  Busy
                </Button>
                <Button variant={variant} disabled>
                  Disabled
                </Button>
                <Button variant={variant} icon={<DiceIcon size={20} />}>
                  Icon before
                </Button>
                <Button variant={variant} iconEnd={<ArrowRightIcon size={20} />}>
                  Icon after
                </Button>
              </Row>
            ))}
            <p className={styles['note']}>What is disabled says why in a sentence beside it.</p>
            {SIZES.map((size) => (
              <Row key={size} name={size}>
                <Button size={size}>PLAY FOR £1</Button>
                <Button size={size} variant="secondary">
                  WATCH THE DRAWS
                </Button>
              </Row>
            ))}
            <Button block>As wide as its container</Button>
          </>
        )}
      </Specimen>
      <Specimen name="Buttons on a game’s field" of={['button.tsx']}>
        {() => (
          <div className={styles['field']}>
            <Button onField>Primary</Button>
            <Button onField variant="secondary">
              Secondary
            </Button>
            <LinkButton onField href={paths.links()} size="small">
              A link
            </LinkButton>
          </div>
        )}
      </Specimen>
      <Specimen name="Icon and copy buttons" of={['icon-button.tsx', 'copy-button.tsx']}>
        {() => (
          <Row>
            <IconButton label="Edit the line" icon={<PencilIcon />} />
            <IconButton label="Delete the line" icon={<TrashIcon />} variant="soft" />
            <IconButton label="Nothing to delete" icon={<TrashIcon />} disabled />
            <CopyButton text="Fairball" label="the product’s name" />
          </Row>
        )}
      </Specimen>
      <Specimen name="Links" of={['link.tsx', 'button.tsx']}>
        {() => (
          <>
            <p>
              In a sentence <Link href={paths.links()}>a link is underlined</Link>, in lists{' '}
              <Link href={paths.links()} variant="quiet">
                only when pointed at
              </Link>
              ; <Anchor href={paths.links()}>a bare one</Anchor> takes the look of what it stands in.
            </p>
            <Row>
              <LinkButton href={paths.links()}>A link as a button</LinkButton>
              <LinkButton href={paths.links()} variant="secondary" iconEnd={<ArrowRightIcon size={20} />}>
                And another
              </LinkButton>
            </Row>
          </>
        )}
      </Specimen>
    </Section>
  )
}
