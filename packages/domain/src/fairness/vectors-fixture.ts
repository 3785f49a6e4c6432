/** The worked example of the protocol and the rounds of the public beacon, for programs beyond this package to test with. */
import drand from '../../vectors/drand.json' with { type: 'json' }
import example from '../../vectors/fairness.json' with { type: 'json' }

export { drand, example }
