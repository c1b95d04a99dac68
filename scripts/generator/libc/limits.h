/* of a C library that has nothing: see witness.py */
