// How long a venue may hold an order back before it matches: Deribit's speed bump, the longest of the venues known here. An
// order that is cancelled meanwhile may still fill at the end of it.
export const SPEED_BUMP_MS = 10;
