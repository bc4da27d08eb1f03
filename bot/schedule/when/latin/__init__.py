"""What languages in Latin letters share: values of tokens from what rules matched."""
