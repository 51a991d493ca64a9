// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
