"""What the players of PHYRE and Phy-Q in the browser share: `player` says what one is, `page` is the skeleton of both."""
