#!/usr/bin/env bash
# drvabi sniff with a trace of 100,000 calls.
MANY=100000 exec bash "$(dirname "$0")/../cli/6152-recorded.t"
