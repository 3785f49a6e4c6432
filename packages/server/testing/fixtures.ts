// Stand-ins and fixtures of the server's own tests that trials use as well. A public face of the package, for trials alone.
export { btcOf, startNode, type TestNode } from '../test/bitcoin/node.ts'
export { testDatabase } from '../test/database.ts'
export { TEST_BITCOIN } from '../test/lottery.ts'
export { addressIn } from '../test/relays.ts'
export { ADDRESS_SEALS } from '../test/sealed-addresses.ts'
export { smtpRefusal, startSmtpServer } from '../test/smtp-server.ts'
export { OWN, standInWallet } from '../test/stand-in-wallet.ts'
export { freePort } from '../test/free-port.ts'
