import { ConfigError } from '../config/config.ts'
import { DataFolderError } from '../db/data-folder.ts'
import { DatabaseUnfit } from '../db/conformance/conformance.ts'
import { DatabaseUnavailable } from '../db/database-errors.ts'
import { EmbeddedDatabaseError } from '../db/embedded-postgres.ts'
import { FastClock } from '../db/database-clock.ts'
import { MigrationError } from '../db/migrate.ts'
import { LoginMayMore } from '../db/rights.ts'
import { GamesChanged } from '../modules/draws/start-guard.ts'
import { WrongSecretKey } from '../modules/fairness/installation.ts'
import { LogHeadError } from '../modules/fairness/known-head.ts'
import { NodeError, NodeUnreachable } from '../ports/bitcoin-node/rpc.ts'
import { LightningUnfit } from '../ports/lightning/lightning-node.ts'
import { ProviderUnfit } from '../ports/payment-provider/payment-provider.ts'
import { WalletUnfit } from '../ports/wallet/wallet.ts'

/** Failures of a start whose message says what to do: the stack would only hide it. */
const EXPLAINED = [
  ConfigError,
  DataFolderError,
  DatabaseUnavailable,
  DatabaseUnfit,
  EmbeddedDatabaseError,
  FastClock,
  GamesChanged,
  LightningUnfit,
  LoginMayMore,
  LogHeadError,
  MigrationError,
  NodeError,
  NodeUnreachable,
  ProviderUnfit,
  WalletUnfit,
  WrongSecretKey,
] as const

/**
 * A failure in words for the operator who started the program.
 *
 * @param others kinds of errors, beside those of every start, whose message is enough
 */
export function explanationOf(error: unknown, others: readonly (new (...args: never[]) => Error)[] = []): string {
  if (!(error instanceof Error)) return String(error)
  const isExplained = [...EXPLAINED, ...others].some((kind) => error instanceof kind)
  return isExplained ? error.message : (error.stack ?? error.message)
}
