import { createContext, useContext } from 'react'

/** What the server tells the page about itself. Nothing secret enters it: it stands in the HTML. */
export interface WebConfig {
  /** Whether this is a demo with test bitcoin: shows the test-mode strip and the developer's controls. */
  testMode: boolean
  /** The site's origin, such as `https://fairball.example`, without a slash at the end. */
  publicUrl: string
  /** The bitcoin network addresses have to belong to. */
  network: 'mainnet' | 'testnet4' | 'signet' | 'regtest'
}

/** Carries the configuration to the components. */
export const ConfigContext = createContext<WebConfig | null>(null)

/** @returns the server's configuration. @throws Error outside of the app */
export function useConfig(): WebConfig {
  const config = useContext(ConfigContext)
  if (config === null) throw new Error('There is no configuration above this component.')
  return config
}
