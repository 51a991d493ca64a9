# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What every test has."""

import signal

# A shell that starts the tests in the background has them ignore Ctrl-C, and so all that they start; some tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)
