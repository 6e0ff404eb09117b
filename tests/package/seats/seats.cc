#include "seats.h"

FORETELL_PLUGIN(seats::kSeats)
