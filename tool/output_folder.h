// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "program/output_folder.h"
#include "tool/console.h"  // the names of src/program
