import unittest

from fairball import ed25519
from tests.support import public_key, sign

RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


class Ed25519Test(unittest.TestCase):
    def test_agrees_with_the_vectors_of_rfc_8032(self) -> None:
        for seed, key, message, signature in RFC_8032:
            self.assertEqual(public_key(bytes.fromhex(seed)).hex(), key)
            self.assertEqual(sign(bytes.fromhex(seed), bytes.fromhex(message)).hex(), signature)
            self.assertTrue(
                ed25519.verify(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)), key
            )

    def test_refuses_every_single_bit_change_of_key_message_and_signature(self) -> None:
        _, key, message, signature = (bytes.fromhex(part) for part in RFC_8032[2])
        for name, data in (("key", key), ("message", message), ("signature", signature)):
            for bit in range(8 * len(data)):
                changed = bytearray(data)
                changed[bit // 8] ^= 1 << bit % 8
                given = {"key": key, "message": message, "signature": signature, name: bytes(changed)}
                self.assertFalse(ed25519.verify(given["key"], given["message"], given["signature"]), (name, bit))

    def test_refuses_a_scalar_that_is_not_below_the_order(self) -> None:
        _, key, message, signature = (bytes.fromhex(part) for part in RFC_8032[1])
        s = int.from_bytes(signature[32:], "little") + ed25519.ORDER
        self.assertFalse(ed25519.verify(key, message, signature[:32] + s.to_bytes(32, "little")))

    def test_refuses_points_that_are_not_encoded_canonically(self) -> None:
        minus_zero = (1 | 1 << 255).to_bytes(32, "little")
        for data in [minus_zero] + [(ed25519.P + y).to_bytes(32, "little") for y in range(19)]:
            self.assertIsNone(ed25519.decode(data), data.hex())

    def test_refuses_keys_of_small_order_under_which_anything_is_signed(self) -> None:
        order_eight = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
        for key in (
            (1).to_bytes(32, "little"),
            (ed25519.P - 1).to_bytes(32, "little"),
            bytes(32),
            bytes.fromhex(order_eight),
        ):
            self.assertIsNotNone(ed25519.decode(key))
            everything = ed25519.encode(ed25519.NEUTRAL) + bytes(32)
            self.assertFalse(ed25519.verify(key, b"anything", everything), key.hex())

    def test_refuses_keys_and_signatures_of_another_size(self) -> None:
        _, key, message, signature = (bytes.fromhex(part) for part in RFC_8032[0])
        for size in (0, 31, 33, 64):
            self.assertFalse(ed25519.verify((key + key)[:size], message, signature))
        for size in (0, 63, 65):
            self.assertFalse(ed25519.verify(key, message, (signature + b"\0")[:size]))


if __name__ == "__main__":
    unittest.main()
