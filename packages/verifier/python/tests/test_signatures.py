"""Tests of the signatures of the log, of witnesses and of the beacon."""

import json
import unittest
from hashlib import sha256

from fairball import bls, ed25519
from fairball.beacon import QUICKNET, chain_of, is_signature
from fairball.statements import read_statement
from tests.support import VECTORS, vector

DRAND = json.loads((VECTORS.parent / "drand.json").read_text("utf-8"))

# RFC 9380, J.9.1: BLS12381G1_XMD:SHA-256_SSWU_RO_.
RFC_TAG = b"QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_"
RFC_POINTS = {
    b"": (
        0x052926ADD2207B76CA4FA57A8734416C8DC95E24501772C814278700EED6D1E4E8CF62D9C09DB0FAC349612B759E79A1,
        0x08BA738453BFED09CB546DBB0783DBB3A5F1F566ED67BB6BE0E8C67E2E81A4CC68EE29813BB7994998F3EAE0C9C6A265,
    ),
    b"abc": (
        0x03567BC5EF9C690C2AB2ECDF6A96EF1C139CC0B2F284DCA0A9A7943388A49A3AEE664BA5379A7655D3C68900BE2F6903,
        0x0B9C15F3FE6E5CF4211F346271D7B01C8F3B28BE689C8429C85B67AF215533311F0B8DFAAA154FA6B88176C229F2885D,
    ),
    b"abcdef0123456789": (
        0x11E0B079DEA29A68F0383EE94FED1B940995272407E3BB916BBF268C263DDD57A6A27200A784CBC248E84F357CE82D98,
        0x03A87AE2CAF14E8EE52E51FA2ED8EEFE80F02457004BA4D486D6AA1F517C0889501DC7413753F9599B099EBCBBD2D709,
    ),
}

# RFC 8032, 7.1: secret keys do not matter here; key, message, signature.
RFC_8032 = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe"
        "24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302a"
        "eeb00d291612bb0c00",
    ),
)


class BeaconTest(unittest.TestCase):
    def test_hashing_to_the_curve_gives_the_points_of_rfc_9380(self) -> None:
        for message, point in RFC_POINTS.items():
            self.assertEqual(bls.hash_to_g1(message, RFC_TAG), point)

    def test_only_genuine_rounds_of_quicknet_verify(self) -> None:
        for one in DRAND["rounds"]:
            self.assertTrue(is_signature(QUICKNET, one["round"], bytes.fromhex(one["signature"])), one["round"])
            self.assertEqual(QUICKNET.due(one["round"]), one["time"])
        for one in DRAND["invalid"]:
            self.assertFalse(is_signature(QUICKNET, one["round"], bytes.fromhex(one["signature"])), one["reason"])

    def test_points_have_one_encoding_and_are_in_the_subgroup(self) -> None:
        infinity = bytes([0xC0]) + bytes(47)
        uncompressed = bytes(96)
        too_large = bytes([0x80 | bls.P >> 376]) + (bls.P & (1 << 376) - 1).to_bytes(47, "big")
        outside = next(
            data
            for data in (bytes([0x80]) + x.to_bytes(47, "big") for x in range(1, 50))
            if pow(int.from_bytes(data[1:], "big") ** 3 + 4, bls.HALF, bls.P) == 1
        )
        for data in (infinity, uncompressed, too_large, outside, b""):
            self.assertIsNone(bls.g1_of(data))
        for data in (bytes([0xC0]) + bytes(95), bytes(96), b"", bytes([0x80]) + bytes(94) + b"\x02"):
            self.assertIsNone(bls.g2_of(data))

    def test_the_hash_of_a_chain_covers_all_its_fields(self) -> None:
        text = vector("statements.json")["chain"]["text"]
        self.assertEqual(chain_of(read_statement(text)), QUICKNET)
        for old, new in (("period 3", "period 4"), ("period 3", "period 0"), ("beacon_id quick", "beacon_id slow")):
            self.assertIsNone(chain_of(read_statement(text.replace(old, new))))

    def test_a_draw_has_the_first_round_due_after_its_start(self) -> None:
        self.assertEqual((QUICKNET.round_for(1692806362), QUICKNET.due(1000)), (1000, 1692806364))
        for one in DRAND["round_for_time"]:
            self.assertEqual(QUICKNET.round_for(one["start"]), one["round"])


class Ed25519Test(unittest.TestCase):
    def test_signatures_of_rfc_8032_verify_only_unchanged(self) -> None:
        for key, message, signature in RFC_8032:
            public, text, signed = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
            self.assertTrue(ed25519.verify(public, text, signed))
            self.assertFalse(ed25519.verify(public, text + b"x", signed))
            for position in range(0, 64, 7):
                changed = bytearray(signed)
                changed[position] ^= 1 << position % 8
                self.assertFalse(ed25519.verify(public, text, bytes(changed)))

    def test_a_signature_has_one_form(self) -> None:
        public, _, signature = (bytes.fromhex(part) for part in RFC_8032[0])
        larger = int.from_bytes(signature[32:], "little") + ed25519.ORDER
        self.assertFalse(ed25519.verify(public, b"", signature[:32] + larger.to_bytes(32, "little")))
        self.assertFalse(ed25519.verify(public, b"", signature + b"\0"))

    def test_keys_of_the_small_subgroup_or_in_other_encodings_are_rejected(self) -> None:
        order_eight = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
        numbers = (1, 0, ed25519.P - 1, ed25519.P + 1, 1 | 1 << 255, 2)
        small = [bytes.fromhex(order_eight), *(number.to_bytes(32, "little") for number in numbers), b""]
        for key in small:
            self.assertFalse(ed25519.is_public_key(key), key.hex())
            self.assertFalse(ed25519.verify(key, b"", sha256(b"").digest() + bytes(32)))


if __name__ == "__main__":
    unittest.main()
