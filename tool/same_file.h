// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "program/same_file.h"
#include "tool/console.h"  // the names of src/program
