// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <juxta/study/model.h>

/// People wander about. Who is near the ill may fall ill, and recovers after some days.
const juxta::ModelInfo& epidemic();
