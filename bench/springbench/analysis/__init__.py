"""From records to statements. Pure: opens no files, starts no processes."""
