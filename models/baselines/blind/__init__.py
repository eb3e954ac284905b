"""The Blind-LSTM, which sees no video. Read `lstm` (the network, its files, its answers), then its `training`."""
