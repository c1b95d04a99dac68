#!/usr/bin/env bash
# All commands of the README and the documents, including those that read all releases for seconds.
DOCUMENTS=all exec bash "$(dirname "$0")/../cli/1050-documents.t"
