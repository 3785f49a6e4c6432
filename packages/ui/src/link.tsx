import { createContext, createElement, useContext } from 'react'
import type { AnchorHTMLAttributes, ComponentType, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './link.module.css'

/** Props of a link: an address of this site or another, and everything an `<a>` takes. */
export type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

const AnchorContext = createContext<ComponentType<AnchorProps> | 'a'>('a')

/** Makes every link of the design system render through the app's own anchor, which navigates without loading the page. */
export function AnchorProvider(props: { anchor: ComponentType<AnchorProps>; children: ReactNode }) {
  return <AnchorContext value={props.anchor}>{props.children}</AnchorContext>
}

/** A bare link without styles, for components with their own (buttons, cards, tabs). */
export function Anchor(props: AnchorProps) {
  return createElement(useContext(AnchorContext), props)
}

/** A text link. `inline` is underlined (in sentences), `quiet` only when pointed at (in menus and footers). */
export function Link({ variant = 'inline', className, ...anchor }: AnchorProps & { variant?: 'inline' | 'quiet' }) {
  return <Anchor {...anchor} className={classNames(styles[variant], className)} />
}
